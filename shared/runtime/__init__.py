"""How services run: the only room that knows nameko and eventlet."""
