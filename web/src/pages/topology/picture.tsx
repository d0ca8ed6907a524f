import { useComputedColorScheme } from '@mantine/core';
import { Background, Controls, ReactFlow } from '@xyflow/react';
import type { Rates } from '../../components/hops/rates.ts';
import {
  type Bundle,
  bundlesOf,
  type Drawing,
  type DrawnNode,
  type Layout,
  layoutOf,
  lineLabel,
  pathThrough,
} from './graph.ts';
import { type CardNode, Frame, type FrameNode, type HopLine, HopLineView, NodeCard } from './nodes.tsx';
import classes from './topology.module.css';
import '@xyflow/react/dist/base.css';
import { useMemo } from 'react';

const nodeTypes = { card: NodeCard, frame: Frame };
const edgeTypes = { hops: HopLineView };

interface PictureProps {
  readonly drawing: Drawing;
  readonly rates: Rates;
  readonly onOpen: (bundle: Bundle) => void;
}

export function Picture({ drawing: { nodes, edges }, rates, onOpen }: PictureProps) {
  const colorMode = useComputedColorScheme('light');
  const bundles = useMemo(() => bundlesOf(edges), [edges]);
  const { shape, layout } = useLayout(nodes, bundles);
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return (
    <section className={classes.picture} aria-label="The platform as a picture; the table shows the same">
      <ReactFlow
        // Another set of nodes is another picture, which has to fit anew.
        key={shape}
        nodes={nodes.flatMap((node) => drawnNode(node, layout))}
        edges={bundles.flatMap((bundle) => drawnLine(bundle, layout, lineLabel(bundle, rates, titles), onOpen))}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={colorMode}
        onEdgeClick={(_, edge) => edge.data?.onOpen()}
        fitView
        // Of a picture that is too large to be read, the middle is shown: everything goes through the gateway.
        fitViewOptions={{ minZoom: 0.4, maxZoom: 1.1, padding: 0.03 }}
        minZoom={0.1}
        maxZoom={1.6}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        attributionPosition="bottom-left"
      >
        <Background gap={22} size={1} />
        <Controls showInteractive={false} position="bottom-right" />
      </ReactFlow>
    </section>
  );
}

/** A line whose traffic is counted says more. */
const withRoom = (bundle: Bundle) => ({
  ...bundle,
  labelWidth: bundle.hops.some(({ traffic }) => traffic !== undefined) ? 146 : 84,
});

/** Places only change with what is there, not with how it does: they are kept while health and traffic change. */
function useLayout(nodes: readonly DrawnNode[], bundles: readonly Bundle[]): { shape: string; layout: Layout } {
  const shape = JSON.stringify([nodes.map(({ id, parent }) => [id, parent]), bundles.map(({ id }) => id)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says whether nodes or lines are others
  const layout = useMemo(() => layoutOf(nodes, bundles.map(withRoom)), [shape]);
  return { shape, layout };
}

function drawnNode(node: DrawnNode, { boxes }: Layout): (CardNode | FrameNode)[] {
  const box = boxes.get(node.id);
  if (box === undefined) return [];
  const { x, y, width, height } = box;
  const common = { id: node.id, position: { x, y }, width, height };
  if (node.kind !== 'seed' && node.members === undefined) return [{ ...common, type: 'card', data: { node } }];
  const title = node.kind === 'seed' ? `Seed ${node.title}` : node.title;
  return [{ ...common, type: 'frame', data: { title }, zIndex: -1 }];
}

function drawnLine(
  bundle: Bundle,
  { routes }: Layout,
  look: ReturnType<typeof lineLabel>,
  onOpen: PictureProps['onOpen'],
): HopLine[] {
  const route = routes.get(bundle.id);
  if (route === undefined) return [];
  const data = { ...look, path: pathThrough(route.points), at: route.label, onOpen: () => onOpen(bundle) };
  return [{ id: bundle.id, type: 'hops', source: bundle.from, target: bundle.to, data }];
}
