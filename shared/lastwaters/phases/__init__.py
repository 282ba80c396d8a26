"""Phases 1 to 8 of a tick, one module a phase (section 5); ``tick`` lists them in their order."""
