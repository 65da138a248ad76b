"""What source lines and inlined functions cost: the first time, and from the cache. The reference keeps none; what it
starts (addr2line) counts."""
from rows import Row, Target

KEPT = "sh -c 'XDG_CACHE_HOME={dir}/lines-cache exec {perf} %s -i {input}'"
COLD = "sh -c 'rm -rf {dir}/lines-cache; XDG_CACHE_HOME={dir}/lines-cache exec {perf} %s -i {input}'"
PROGRAM = "copies of stacks of a C++ program, 5 MB of debug information"
FIRST, AGAIN = (Target("wall", 1000),), (Target("wall", 200),)

ROWS = [
    *[row for name, line in (("report", "report --stdio"), ("script", "script"),
                             ("srcline", "report --stdio -g none -s sym,srcline"),
                             ("script-srcline", "script -F +srcline"))
      for row in (Row(f"lines-{name}", COLD % line, PROGRAM, input="lines", rounds=1, targets=FIRST),
                  Row(f"lines-{name}-again", KEPT % line, PROGRAM + ", from the cache", input="lines", rounds=1,
                      targets=AGAIN))],
    *[row for name in ("gcc", "clang", "node")
      for row in (Row(f"lines-{name}", COLD % "report --stdio", "its copies of stacks", input="dw-" + name, rounds=1,
                      targets=FIRST),
                  Row(f"lines-{name}-again", KEPT % "report --stdio", "its copies of stacks, from the cache",
                      input="dw-" + name, rounds=1, targets=AGAIN))],
]
