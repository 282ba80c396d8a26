"""Running Last Waters on one machine: private servers, packages, and the local stack of `make up`."""
