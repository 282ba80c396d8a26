"""The services: each owns its tables and is reached by calls and events alone."""
