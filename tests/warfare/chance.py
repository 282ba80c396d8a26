"""The seed of everything random in these tests; printed at the end, and given again by a variable."""

import os
import random

SEED_VARIABLE = "LASTWATERS_WARFARE_SEED"
SEED = int(os.environ.get(SEED_VARIABLE) or random.SystemRandom().randrange(10**9))
