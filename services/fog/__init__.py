"""What each faction sees of its match."""
