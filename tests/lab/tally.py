"""What came of the tests: lines of TAP counted, and the page at the end."""
import re
import sys

SHOWN = 60  # lines of a failure
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Tally:
    def __init__(self):
        self.results = []  # (guest, test, PASSED or FAILED or SKIPPED, name, why it was skipped or lines of a failure)
        self.guests = {}  # name -> what is told about it

    def of(self, kind):
        return [r for r in self.results if r[2] == kind]

    def counts(self):
        return tuple(len(self.of(kind)) for kind in (PASSED, FAILED, SKIPPED))

    def ok(self, guest, test, name):
        self.results.append((guest, test, PASSED, name, None))

    def skip(self, guest, test, name, why):
        self.results.append((guest, test, SKIPPED, name, why))

    def fail(self, guest, test, name, lines):
        self.results.append((guest, test, FAILED, name, lines[-SHOWN:]))

    def failed_tests(self):
        return {test for _, test, _, _, _ in self.of(FAILED)}

    def take(self, other, tests=None):
        """What another one counted; of these tests, instead of what was counted before."""
        self.results = [r for r in self.results if r[1] not in (tests or ())] + other.results
        self.guests.update(other.guests)

    def show_failures(self):
        for _, _, _, name, lines in self.of(FAILED):
            print("FAIL " + name)
            for line in lines:
                print("     " + line)
        sys.stdout.flush()

    def add(self, guest, test, lines, status):
        """Lines of TAP count each; a script that says none is one test. A .host counts with its .sh."""
        row = test.rsplit(".", 1)[0]
        seen, notes, bad = 0, [], 0
        for line in lines:
            if m := re.match(r"(not )?ok \d+ - (.*?)(?: # SKIP (.*))?$", line):
                seen += 1
                name = f"{guest} {test}: {m[2]}"
                if m[3]:
                    self.skip(guest, row, name, m[3])
                elif m[1]:
                    bad += 1
                    self.fail(guest, row, name, notes)
                else:
                    self.ok(guest, row, name)
                notes = []
            else:
                notes.append(line)
        if status == 77 and not seen:
            self.skip(guest, row, f"{guest} {test}", lines[-1] if lines else "no output")
        elif (status and not bad) or not seen:
            self.fail(guest, row, f"{guest} {test}", notes + [f"exit status {status}"])

    def cell(self, guest, test):
        here = [r[2] for r in self.results if r[:2] == (guest, test)]
        if not here:
            return "."
        passed, failed, skipped = (here.count(kind) for kind in (PASSED, FAILED, SKIPPED))
        return " ".join(([f"{failed} FAILED"] if failed else []) + ([str(passed)] if passed or not skipped + failed else [])
                        + ([f"({skipped})"] if skipped else []))

    def page(self):
        """Tests x guests; what each guest was."""
        names = list(self.guests)
        tests = sorted({r[1] for r in self.results})
        rows = [["passed (skipped)"] + names] + [[test] + [self.cell(guest, test) for guest in names] for test in tests]
        sizes = [max(len(row[n]) for row in rows) for n in range(len(names) + 1)]
        lines = ["  ".join(text.ljust(size) if n == 0 else text.rjust(size) for n, (text, size) in enumerate(zip(row, sizes)))
                 for row in rows]
        return lines + [""] + [f"{name:14} {told}" for name, told in self.guests.items()]
