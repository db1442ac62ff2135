"""The shim between the host and a program: everything here is invisible to programs."""
