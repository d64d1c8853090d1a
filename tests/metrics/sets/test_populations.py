"""Closed forms against golden numbers and a search through all population sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.metrics.sets.populations import Census, _accuracy, _gain, likeliest_population, log_likelihood


def identical(size: int, k: int) -> Census:
    return Census(k, size, size, size, size, size * (k + 1), size * (k + 1))


def test_golden_likelihoods_of_the_paper() -> None:
    captures = identical(10, 1).captures
    assert log_likelihood(20, 20, captures) == pytest.approx(-157.825, abs=5e-4)
    assert log_likelihood(21, 20, captures) == pytest.approx(-159.123, abs=5e-4)


@pytest.mark.parametrize(
    ("size", "k", "score"), [(10, 1, 1), (50, 1, 0.99), (200, 1, 0.9825), (1000, 1, 0.98), (1000, 2, 0.998)]
)
def test_capture_of_identical_sets_is_below_one(size: int, k: int, score: float) -> None:
    assert identical(size, k).capture == pytest.approx(score)


@given(st.integers(2, 40), st.integers(2, 40), st.data())
def test_arg_max_equals_a_search_through_all_sizes(n: int, m: int, data: st.DataObject) -> None:
    population = n + m
    k = data.draw(st.integers(1, min(n, m) - 1))
    captures = (k + 1) * population + data.draw(st.integers(0, 2 * (n - k) * m if n > k else 0))
    values = [log_likelihood(size, population, captures) for size in range(population, 4 * population)]
    found = likeliest_population(population, captures) - population
    # Two neighbours may be equal up to the rounding of the logarithms of factorials.
    assert values[found] == pytest.approx(max(values), rel=1e-13)


@pytest.mark.parametrize("population", [10**3, 10**5, 10**7])
def test_large_populations_solve_the_likelihood_equation(population: int) -> None:
    captures = 3 * population
    found = likeliest_population(population, captures)
    # Where the likelihood is flat, N (1 - (1 - C / (T N))^T) = P.
    seen = -math.expm1(population * math.log1p(-captures / (population * found))) * found
    assert seen == pytest.approx(population, abs=2)


@given(st.integers(2, 50), st.integers(2, 50), st.data())
def test_scores_stay_in_their_ranges(n: int, m: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, min(n, m) - 1))
    a, b = data.draw(st.integers(0, m)), data.draw(st.integers(0, n))
    x, y = data.draw(st.integers(b, n * m)), data.draw(st.integers(a, n * m))
    found = Census(k, n, m, a, b, x, y)
    assert found.petersen_estimate >= found.population
    assert 1 - 1 / k - 1e-12 <= found.schnabel_quality <= 1
    for value in (found.petersen, found.schnabel_quality_normalised, found.schnabel_diversity_normalised):
        assert -1e-12 <= value <= 1
    if math.isfinite(found.petersen_estimate):
        loss = min(found.petersen_estimate / found.population - 1, 1)
        assert found.petersen == pytest.approx(1 - loss)


def test_disjoint_and_collapsed_sets() -> None:
    apart = Census(3, 1000, 1000, 0, 0, 0, 0)
    assert apart.petersen == 0
    assert apart.schnabel_quality == pytest.approx(2 / 3)
    assert apart.schnabel_quality_normalised == pytest.approx(0)
    assert apart.capture == apart.capture_floor == pytest.approx(0.98, abs=0.002)
    collapsed = Census(1, 100, 100, 100, 1, 100, 100)
    assert collapsed.petersen == 1
    assert collapsed.schnabel_diversity < 0.6
    assert np.isclose(Census(1, 1000, 1000, 0, 0, 0, 0).capture, 0.746)


def test_sizes_that_cannot_be_have_no_likelihood() -> None:
    """Fewer than were seen, or fewer chances than captures; either is enough."""
    assert log_likelihood(4, 5, 10) == -math.inf
    assert log_likelihood(5, 5, 26) == -math.inf
    assert log_likelihood(3, 5, 26) == -math.inf


@pytest.mark.parametrize("captures", [0, 25])
def test_the_likelihood_at_its_ends_is_the_number_of_orders(captures: int) -> None:
    """If every chance was a capture, or none was, only the order of the five that were seen is left: 5! ways."""
    assert log_likelihood(5, 5, captures) == pytest.approx(math.log(120))


@pytest.mark.parametrize("captures", [12, 23, 24, 25])
@pytest.mark.parametrize("estimate", [5, 6, 9])
def test_the_gain_is_the_difference_of_two_likelihoods(estimate: int, captures: int) -> None:
    """Also if one chance was missed, or none."""
    difference = log_likelihood(estimate + 1, 5, captures) - log_likelihood(estimate, 5, captures)
    assert _gain(estimate, 5, captures) == pytest.approx(difference, abs=1e-9)


def test_an_estimate_that_is_far_off_scores_zero() -> None:
    assert [_accuracy(10, size) for size in (10, 15, 20, 35)] == pytest.approx([1, 0.5, 0, 0])


def test_every_number_of_a_census_by_hand() -> None:
    """Sets of other sizes, neither of which is covered: each number is written out from its definition."""
    found = Census(
        k=2, corpus=10, generated=6, covered_generated=4, covered_corpus=3, reached_corpus=5, reached_generated=9
    )
    assert (found.population, found.unmarked_generated, found.unmarked_corpus) == (16, 2, 7)
    assert found.petersen_estimate == pytest.approx(14 * 9 / 7)  # marked, captured, recaptured
    assert found.petersen == pytest.approx(1 - (14 * 9 / 7 - 16) / 16)
    quality, diversity = 23 / 21, 39 / 32  # captures over captures of marked ones: 3·6 + 5 - 2, and 3·10 + 9 - 7
    assert found.schnabel_quality_estimate == pytest.approx(16 * quality)
    assert found.schnabel_diversity_estimate == pytest.approx(16 * diversity)
    assert (found.quality_loss, found.diversity_loss) == pytest.approx((quality - 1, diversity - 1))
    assert (found.schnabel_quality, found.schnabel_diversity) == pytest.approx((2 - quality, 2 - diversity))
    assert found.schnabel_quality_normalised == pytest.approx(1 - 2 * (quality - 1))
    assert found.schnabel_diversity_normalised == pytest.approx(1 - 2 * (diversity - 1))
    assert found.captures == 3 * 16 + 5 + 9


def test_capture_is_the_likeliest_of_all_sizes() -> None:
    found = Census(1, 10, 6, 4, 3, 5, 9)
    sizes = range(16, 64)
    assert found.capture_estimate == max(sizes, key=lambda size: log_likelihood(size, 16, 46))
    assert found.capture == pytest.approx(1 - (found.capture_estimate - 16) / 16)
    lonely = max(sizes, key=lambda size: log_likelihood(size, 16, 32))
    assert found.capture_floor == pytest.approx(1 - (lonely - 16) / 16)
    assert found.capture > found.capture_floor


def test_nothing_is_recaptured() -> None:
    apart = Census(1, 2, 3, 0, 0, 0, 0)
    assert (apart.petersen_estimate, apart.petersen) == (math.inf, 0.0)
    little = Census(1, 100, 100, 1, 0, 0, 1)  # the estimate is more than twice the population
    assert little.petersen == 0


def test_the_peak_is_found_wherever_it_lies() -> None:
    """Every number of captures of a small population, against all sizes that could be."""
    for population in (2, 3, 7):
        for captures in range(population, population * population + 1):
            values = {size: log_likelihood(size, population, captures) for size in range(population, 40 * population)}
            found = likeliest_population(population, captures)
            if found < 39 * population:
                assert values[found] == pytest.approx(max(values.values()), abs=1e-9)
                assert found == population or values[found] > values[found - 1] - 1e-12
