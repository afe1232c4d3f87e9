"""A compiled subset of Python over integers, arrays and records: lowering, LLVM, object cache. Independent of games."""
