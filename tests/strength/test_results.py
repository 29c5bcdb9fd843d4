"""What is known of a mutant, before and after a search for inputs that kill it."""

from judge.model import Verdict
from judge.strength.mutation.mutant import Mutant
from judge.strength.results import Killer, Label, MutantResult

MUTANT = Mutant(operator="constant", start=0, end=1, replacement=b"2", line=1, probe_start=0, probe_end=0, statement=-1)


def survivor(label: Label) -> MutantResult:
    return MutantResult(mutant=MUTANT, digest="d", before="1", after="2", verdicts={"a": Verdict.AC}, label=label)


def test_an_input_that_kills_a_mutant_refutes_that_it_is_equivalent() -> None:
    killer = Killer(input=b"1", answer=b"1", origin="mutations", verdict=Verdict.WA)
    found = survivor(Label.EQUIVALENT).with_killer(killer)
    assert (found.label, found.killer, found.is_equivalent) == (Label.REACHED, killer, False)
    assert survivor(Label.INFECTED).with_killer(killer).label is Label.INFECTED
    assert survivor(Label.EQUIVALENT).with_killer(None).is_equivalent
