"""What writing recordings for other programs costs."""
from rows import Row

REPORT = "{perf} report -i {input} --"
SCRIPT = "{perf} script -i {input}"  # what other tools' importers would have to parse

ROWS = [
    *[Row("export-" + name, REPORT + f"{name} {{dir}}/export.out", about + "; the reference: script alone, whose text an importer "
          "would still have to read", input="fp-64", instead=SCRIPT)
      for name, about in (("html", "a page"), ("pprof", "a profile"), ("firefox", "a profile with each sample's time"),
                          ("perfetto", "a trace"))],
    Row("export-json", REPORT + "json", "the report as JSON; the reference: script alone", input="fp-64", instead=SCRIPT),
    Row("convert-json", "{perf} data convert -f -i {input} --to-json {dir}/convert.json", "64 MB with call chains",
        input="fp-64"),
    Row("convert-ctf", "{perf} data convert -f -i {input} --to-ctf {dir}/convert.ctf", "64 MB with call chains",
        input="fp-64", rounds=1),
    Row("convert-sqlite", "{perf} data convert -f -i {input} --to-sqlite {dir}/convert.db", "64 MB with call chains; the "
        "reference: JSON", input="fp-64", rounds=1,
        instead="{perf} data convert -f -i {input} --to-json {dir}/convert.json"),
]
