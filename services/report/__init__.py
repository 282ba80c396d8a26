"""What each faction is told of each tick, and the numbered feed behind the event stream."""
