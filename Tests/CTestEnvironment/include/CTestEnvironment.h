// The environment in which tests run, and the programs that they start. There is nothing to call.
