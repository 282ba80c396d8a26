"""A battle: setup, rounds, end (sections 7 to 12). ``machine`` is the door."""
