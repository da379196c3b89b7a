// What the first place shows is asked for while the modules are still on their way. `plyground site` fills in the files.
if (/^#?\/?$/.test(location.hash)) globalThis.ahead ??= Object.fromEntries(["FILES"].map((name) => [name, fetch(`data/${name}`).catch(() => null)]));
