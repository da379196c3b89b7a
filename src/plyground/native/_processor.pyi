"""What this processor can do; built on x86-64, together with the second build of the core."""

def has_v3() -> bool:
    """Whether the processor, and the system with it, has every instruction of x86-64-v3."""
