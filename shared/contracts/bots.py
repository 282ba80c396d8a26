"""Computer players have no calls of their own: they listen and file like everyone."""
