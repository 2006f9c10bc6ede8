"""Decoders and the attention over centers."""

from __future__ import annotations

import pytest
import torch

from ncc_routing.learning.decoder import (
    CenterAttention,
    CenterDecoder,
    PairDecoder,
)


@pytest.fixture
def centers():
    """Three centers of width 8 in each of two instances."""
    return torch.randn(2, 3, 8, generator=torch.Generator().manual_seed(1))


def test_attention_against_torch(centers):
    """The heads, scale and softmax axis of torch's own attention."""
    own = CenterAttention(8, 2)
    other = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    other.load_state_dict(
        {
            "in_proj_weight": own.project.weight,
            "in_proj_bias": own.project.bias,
            "out_proj.weight": own.output.weight,
            "out_proj.bias": own.output.bias,
        }
    )
    mask = torch.tensor([[True, True, True], [True, False, True]])
    mixed, _ = other(centers, centers, centers, key_padding_mask=~mask)
    expected = own.norm(centers + mixed)
    torch.testing.assert_close(own(centers, mask), expected)


def test_padding_changes_nothing(centers):
    """A masked center is invisible to the others."""
    layer = CenterAttention(8, 2)
    alone = layer(centers, torch.ones(2, 3, dtype=torch.bool))
    padded = torch.cat([centers, 100 * torch.ones(2, 2, 8)], dim=1)
    mask = torch.tensor([[True, True, True, False, False]]).repeat(2, 1)
    torch.testing.assert_close(layer(padded, mask)[:, :3], alone)


def test_attention_sees_the_other_centers(centers):
    """Moving one center changes what the others get."""
    layer = CenterAttention(8, 2)
    mask = torch.ones(2, 3, dtype=torch.bool)
    before = layer(centers, mask)
    centers[0, 2] += 1.0
    after = layer(centers, mask)
    assert not torch.allclose(after[0, 0], before[0, 0])
    torch.testing.assert_close(after[1], before[1])


def test_center_decoder_follows_the_centers():
    """Permuting the centers permutes the rows of the logits."""
    source = torch.Generator().manual_seed(2)
    nodes = torch.randn(1, 7, 8, generator=source)
    decoder = CenterDecoder(8, 2)
    mask = torch.ones(1, 3, dtype=torch.bool)
    found = decoder(nodes, torch.tensor([[1, 4, 6]]), mask)
    assert found.shape == (1, 3, 6)
    turned = decoder(nodes, torch.tensor([[6, 1, 4]]), mask)
    torch.testing.assert_close(turned, found[:, [2, 0, 1]])


def test_center_decoder_pools_customers_and_reads_the_depot():
    """The depot counts as itself, and not in the pooled graph."""
    source = torch.Generator().manual_seed(2)
    nodes = torch.randn(1, 7, 8, generator=source)
    decoder = CenterDecoder(8, 2)
    seen = []
    decoder.graph.register_forward_hook(lambda *call: seen.append(call[1][0]))
    mask = torch.ones(1, 2, dtype=torch.bool)
    before = decoder(nodes, torch.tensor([[1, 4]]), mask)
    pooled = [nodes[0, 1:].max(0).values, nodes[0, 1:].mean(0)]
    torch.testing.assert_close(seen[0][0], torch.cat(pooled))
    nodes[0, 0] += 1.0
    after = decoder(nodes, torch.tensor([[1, 4]]), mask)
    torch.testing.assert_close(seen[1], seen[0])
    assert not torch.allclose(after, before)


def test_pair_decoder_against_a_loop():
    """The head on the sum of three linear maps."""
    source = torch.Generator().manual_seed(2)
    nodes = torch.randn(5, 8, generator=source)
    pairs = torch.randn(5, 2, 4, generator=source)
    idx = torch.randint(0, 5, (5, 2), generator=source)
    decoder = PairDecoder(8, 4, 6)
    found = decoder(nodes, pairs, idx)
    for i in range(5):
        for a in range(2):
            hidden = decoder.own(nodes[i]) + decoder.other(nodes[idx[i, a]])
            expected = decoder.head(hidden + decoder.pair(pairs[i, a]))
            torch.testing.assert_close(found[i, a], expected[0])
