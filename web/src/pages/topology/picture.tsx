import '@xyflow/react/dist/base.css';
import { useComputedColorScheme } from '@mantine/core';
import { Background, Controls, ReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import type { Topology, TopologyNode } from '../../api/types.ts';
import type { Rates } from '../../components/hops/rates.ts';
import { rate } from '../../components/units.ts';
import { type Bundle, bundlesOf, healthOfBundle, paceOfBundle, portsOfBundle } from './bundles.ts';
import { type HopLine, HopLineView } from './hop-line.tsx';
import { nodeHeight, nodeWidth, positionsOf } from './layout.ts';
import { type CardNode, NodeCard } from './node-card.tsx';
import classes from './topology.module.css';

const nodeTypes = { card: NodeCard };
const edgeTypes = { hops: HopLineView };

interface PictureProps {
  readonly topology: Topology;
  readonly rates: Rates;
  readonly onOpen: (bundle: Bundle) => void;
}

export function Picture({ topology, rates, onOpen }: PictureProps) {
  const colorMode = useComputedColorScheme('light');
  const bundles = useMemo(() => bundlesOf(topology.edges), [topology.edges]);
  const nodes = useCards(topology.nodes, bundles);
  const titles = new Map(topology.nodes.map(({ id, title }) => [id, title]));
  const edges = bundles.map((bundle) => lineOf(bundle, rates, titles, onOpen));
  return (
    <section className={classes.picture} aria-label="The platform as a picture; the table shows the same">
      <ReactFlow
        // A new set of nodes is a new picture, which has to fit anew.
        key={nodes.map(({ id }) => id).join()}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={colorMode}
        onEdgeClick={(_, edge) => edge.data?.onOpen()}
        fitView
        fitViewOptions={{ maxZoom: 1.1, padding: 0.08 }}
        minZoom={0.1}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} size={1} />
        <Controls showInteractive={false} position="bottom-right" />
      </ReactFlow>
    </section>
  );
}

/** Places only change with what is there, not with how it does: the layout is kept while health and traffic change. */
function useCards(nodes: readonly TopologyNode[], bundles: readonly Bundle[]): CardNode[] {
  const shape = JSON.stringify([nodes.map(({ id, kind }) => [id, kind]), bundles.map(({ id }) => id)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says whether nodes or lines are others
  const places = useMemo(() => positionsOf(nodes, bundles), [shape]);
  return nodes.map((node) => ({
    id: node.id,
    type: 'card',
    position: places.get(node.id) ?? { x: 0, y: 0 },
    width: nodeWidth,
    height: nodeHeight,
    data: { node },
  }));
}

function lineOf(
  bundle: Bundle,
  rates: Rates,
  titles: ReadonlyMap<string, string>,
  onOpen: PictureProps['onOpen'],
): HopLine {
  const pace = paceOfBundle(bundle, rates);
  const state = healthOfBundle(bundle);
  const label = labelOf(bundle, pace);
  const health = { good: 'works', bad: 'fails', idle: 'health not known', warn: '' }[state];
  return {
    id: bundle.id,
    type: 'hops',
    source: bundle.from,
    target: bundle.to,
    data: {
      label,
      state,
      words: `${titles.get(bundle.from) ?? bundle.from} to ${titles.get(bundle.to) ?? bundle.to}: ${health}, ${label}`,
      flowing: pace !== undefined && pace > 0,
      onOpen: () => onOpen(bundle),
    },
  };
}

function labelOf(bundle: Bundle, pace: number | undefined): string {
  const ports = portsOfBundle(bundle);
  const where = ports.length > 3 ? `${ports.length} ports` : ports.join(', ');
  const parts = [where, pace === undefined ? '' : rate(pace)].filter((part) => part !== '');
  return parts.length === 0 ? (bundle.hops[0]?.title ?? '') : parts.join(' · ');
}
