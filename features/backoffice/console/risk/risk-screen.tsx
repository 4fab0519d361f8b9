import { useTexts, useLang } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { reviewContract, type ReviewGraph } from '#features/invitations/contract.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { serviceDeskTexts } from '../services/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { FactRows } from '../kit/marks.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { InviterRates } from './inviter-rates.tsx'
import { createTextLookup } from '#platform/shared/texts.ts'
import { createConsoleApi } from '../kit/api.ts'

const reviewApi = createConsoleApi(reviewContract)

const signalWords = createTextLookup(serviceDeskTexts, 'signal_')

/** Returns a function that maps a signal to its label; a signal without a label is shown as is. */
function useSignal(): (name: string) => string {
  const lang = useLang()
  return (name) => signalWords(lang, name) ?? name
}

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

/**
 * Graph of shared marks in the middle, invitees around them, the inviter on top; edges pull those with shared marks together. The table
 * below has the same data.
 */
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

function RingGraph({ graph }: { readonly graph: ReviewGraph }) {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  // A single one forms no ring
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

const DECISION_TEXT = { refuse: 'decision_refuse', release: 'decision_release' } as const

/** One inviter: the ring, the rewards with their signals, and the decision. */
function ReviewSheet({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  const read = useQuery({ queryKey: ['reviews', userId], queryFn: ({ signal }) => reviewApi.review({ userId }, { signal }) })
  const one = read.data
  if (!one)
    return (
      <SideSheet title={t('riskTitle')} onClose={onClose}>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  const { figures } = one
  return (
    <SideSheet
      title={one.who}
      tags={one.isStaff ? <Badge tone="warning">{t('staff')}</Badge> : null}
      about={<CustomerLink userId={userId} />}
      onClose={onClose}
      foot={
        one.open ? (
          <>
            <CommandButton name="reward.refuse" input={{ user: userId }} about={one.who} danger />
            <CommandButton name="reward.release" input={{ user: userId }} about={one.who} variant="primary" />
          </>
        ) : (
          <CommandButton name="reward.hold" input={{ user: userId }} about={one.who} />
        )
      }
    >
      <RingGraph graph={one.graph} />
      <FactRows
        rows={[
          [t('figPeople'), `${figures.people} · ${t('figQualified', { n: figures.qualified })}`],
          [t('figEarned'), displayUsd(figures.earned)],
          [t('figPending'), displayUsd(figures.pending)],
          [t('figAvailable'), displayUsd(figures.available)],
          [t('figTakenBack'), String(figures.takenBack)],
        ]}
      />
      <InviterRates userId={userId} about={one.who} rates={one.rates} />
      <h3 className="mt-4 mb-1 text-13 font-semibold">{t('rewards')}</h3>
      {one.rewards.length ? null : <p className="text-13 text-fg-3">{t('noRewards')}</p>}
      <ul className="divide-y divide-line">
        {one.rewards.map((reward) => (
          <li key={reward.id} className="grid grid-cols-1 gap-0.5 py-2 text-13">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <CustomerLink userId={reward.inviteeId}>{reward.who}</CustomerLink>
              <span className="num text-fg-3">{reward.orderNo}</span>
              <span className="num ml-auto">{displayUsd(reward.amount)}</span>
            </p>
            <p className={reward.score >= one.weights.refuseAt ? 'text-danger' : reward.score >= one.weights.holdAt ? 'text-warning' : 'text-fg-3'}>
              {t('score', { n: reward.score })} {reward.signals.map(({ signal, weight }) => `${say(signal)} ${weight}`).join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {one.past.length ? (
        <>
          <h3 className="mt-4 mb-1 text-13 font-semibold">{t('pastReviews')}</h3>
          <ul className="divide-y divide-line">
            {one.past.map(({ closedAt, decision, reason }) => (
              <li key={closedAt} className="flex flex-wrap gap-x-3 py-1.5 text-13">
                <Badge tone={decision === 'release' ? 'success' : 'danger'}>{t(DECISION_TEXT[decision])}</Badge>
                <span className="min-w-0 flex-1">{reason}</span>
                <Time at={closedAt} className="text-fg-3" />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </SideSheet>
  )
}

type Review = ReplyOf<(typeof reviewContract)['reviews']>['reviews'][number]

/** Inviters whose rewards await review, with the marks that their invitees share. */
export function RiskScreen() {
  const t = useTexts(serviceDeskTexts)
  const say = useSignal()
  return (
    <ListScreen<Review>
      name="reviews"
      title={t('riskTitle')}
      about={t('riskAbout')}
      load={async (_input, signal) => ({ rows: (await reviewApi.reviews({}, { signal })).reviews, next: null })}
      rowKey={(row) => row.inviterId}
      columns={[
        {
          key: 'who',
          header: t('colInviter'),
          mobile: 'title',
          cell: (row) => <CustomerLink userId={row.inviterId}>{row.who}</CustomerLink>,
          csv: (row) => row.inviterId,
        },
        { key: 'signals', header: t('colSignals'), cell: (row) => row.signals.map((name) => say(name)).join(' · '), csv: (row) => row.signals.join('; ') },
        {
          key: 'rewards',
          header: t('colRewards'),
          align: 'right',
          cell: (row) => <span className="num">{row.rewards}</span>,
          csv: (row) => String(row.rewards),
        },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          mobile: 'primary',
          cell: (row) => <span className="num">{displayUsd(row.amount)}</span>,
          csv: (row) => row.amount,
        },
        { key: 'due', header: t('colDue'), align: 'right', cell: (row) => <Time at={row.dueAt} />, csv: (row) => row.dueAt },
      ]}
      empty={{ title: t('riskEmptyTitle'), body: t('riskEmptyBody') }}
      pollMs={10_000}
      sheet={({ id, close }) => <ReviewSheet key={id} userId={id} onClose={close} />}
    />
  )
}
