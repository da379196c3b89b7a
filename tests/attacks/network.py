"""Reaching somebody: every socket belongs to the test."""

from __future__ import annotations

import socket

from trying import attempt


def unix(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(path.replace("@", "\0", 1))
    return path


def datagram(path: str, way: str) -> str:
    """A pair of datagram sockets needs no call that makes a socket, and sends to any other by its path."""
    kind = {"datagram": socket.SOCK_DGRAM, "raw": socket.SOCK_RAW}.get(way, socket.SOCK_DGRAM)
    caller, other = socket.socketpair(socket.AF_UNIX, kind)
    with caller, other:
        if way == "connect":
            caller.connect(path)
            caller.send(b"hello")
        else:
            caller.sendto(b"hello", path)
    return path


def tcp(port: str) -> str:
    socket.create_connection(("127.0.0.1", int(port)), timeout=2).close()
    return port


def udp(port: str) -> str:
    """Nobody says whether a datagram arrives, so the test answers those that do."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as caller:
        caller.settimeout(2)
        caller.sendto(b"hello", ("127.0.0.1", int(port)))
        return caller.recv(16).decode()


def family(name: str) -> str:
    """A kind of socket that no network namespace holds: to the host of a virtual machine, or into the kernel."""
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW)
    for kind in kinds:
        try:
            socket.socket(getattr(socket, name), kind).close()
        except OSError:
            if kind == kinds[-1]:
                raise
        else:
            break
    return name


attempt({"unix": unix, "datagram": datagram, "tcp": tcp, "udp": udp, "family": family})
