import { useTexts } from '#platform/web/i18n.ts'
import type { ReviewGraph } from '#features/invitations/contract.console.ts'
import { serviceDeskTexts } from '../services/texts.ts'
import { useSignal } from './use-signal.ts'

const WIDTH = 480
const HEIGHT = 300
type Node = ReviewGraph['nodes'][number]
const FILL: Readonly<Record<Node['kind'], string>> = {
  inviter: 'fill-brand',
  invitee: 'fill-chart-3',
  other: 'fill-fg-3',
  staff: 'fill-warning',
  mark: 'fill-surface stroke-warning',
}

/** Marks in the middle, people around them, the inviter on top: shared marks pull lines together. The table below says the same in words. */
function layoutNodes({ nodes }: ReviewGraph): ReadonlyMap<string, readonly [number, number]> {
  const people = nodes.filter(({ kind }) => kind !== 'mark').toSorted((a, b) => Number(b.kind === 'inviter') - Number(a.kind === 'inviter'))
  const marks = nodes.filter(({ kind }) => kind === 'mark')
  const on = (list: readonly Node[], radiusX: number, radiusY: number) =>
    list.map(({ id }, at): [string, [number, number]] => {
      const angle = (at / Math.max(1, list.length)) * 2 * Math.PI - Math.PI / 2
      return [id, [WIDTH / 2 + radiusX * Math.cos(angle), HEIGHT / 2 + radiusY * Math.sin(angle)]]
    })
  return new Map([...on(people, WIDTH / 2 - 40, HEIGHT / 2 - 24), ...on(marks, marks.length > 1 ? 90 : 0, marks.length > 1 ? 56 : 0)])
}

export function RingGraph({ graph }: { readonly graph: ReviewGraph }) {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  // one alone is no ring
  if (graph.nodes.length < 2) return null
  const places = layoutNodes(graph)
  const label = new Map(graph.nodes.map(({ id, label: text }) => [id, text]))
  const shared = graph.edges.filter(({ signal }) => signal !== 'invited')
  return (
    <figure className="mb-4">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="w-full rounded-card border border-line bg-bg"
        role="img"
        aria-label={t('graph', { people: graph.nodes.filter(({ kind }) => kind !== 'mark').length, marks: shared.length })}
      >
        {graph.edges.map(({ from, to, signal }) => {
          const [a, b] = [places.get(from), places.get(to)]
          if (!a || !b) return null
          return (
            <line
              key={`${from} ${to} ${signal}`}
              x1={a[0]}
              y1={a[1]}
              x2={b[0]}
              y2={b[1]}
              className={signal === 'invited' ? 'stroke-line' : 'stroke-warning'}
              strokeWidth={signal === 'invited' ? 1 : 1.5}
              strokeDasharray={signal === 'invited' ? '3 3' : undefined}
            />
          )
        })}
        {graph.nodes.map((node) => {
          const [x, y] = places.get(node.id)!
          return (
            <g key={node.id}>
              {node.kind === 'mark' ? (
                <rect x={x - 6} y={y - 6} width="12" height="12" className={FILL.mark} strokeWidth="2" />
              ) : (
                <circle cx={x} cy={y} r={node.kind === 'inviter' ? 9 : 6} className={FILL[node.kind]} />
              )}
              {graph.nodes.length <= 24 ? (
                <text x={x} y={y + (y > HEIGHT / 2 ? 18 : -11)} textAnchor="middle" className="fill-fg-2 text-[10px]">
                  {node.label}
                </text>
              ) : null}
            </g>
          )
        })}
      </svg>
      <figcaption className="mt-1 text-12 text-fg-3">
        {graph.isCut ? `${t('graphCut')} ` : ''}
        {shared.length ? t('graphShared', { n: shared.length }) : t('graphNothing')}
      </figcaption>
      {shared.length ? (
        <details className="mt-1 text-12 text-fg-2">
          <summary className="cursor-pointer">{t('inWords')}</summary>
          <ul>
            {shared.map(({ from, to, signal, weight }) => (
              <li key={`${from} ${to} ${signal}`}>
                {label.get(from)} · {label.get(to)} · {say(signal)} {weight}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </figure>
  )
}
