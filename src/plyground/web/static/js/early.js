// The board of the first place is asked for while the modules are still on their way.
if (/^#?\/?$/.test(location.hash)) globalThis.early = fetch("/api/home");
