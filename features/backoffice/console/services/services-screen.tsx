import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import type { DeskRow } from '#features/services/contract.console.ts'
import { useAddress } from '../kit/address.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import type { ListColumn } from '../kit/list/types.ts'
import { AgeBar } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { pollWhileAttended } from '../kit/use-me.ts'
import { serviceDeskApi } from './api.ts'
import { TaskSheet } from './task-sheet.tsx'
import { serviceDeskTexts } from './texts.ts'

/** Service orders that wait for an operator: one queue for all services, oldest first. */
export function ServicesScreen() {
  const t = useTexts(serviceDeskTexts)
  const [address] = useAddress()
  const read = useQuery({
    queryKey: ['services', 'counts'],
    queryFn: ({ signal }) => serviceDeskApi.deskQueue({ limit: 1 }, { signal }),
    refetchInterval: pollWhileAttended(5_000),
  })
  const paused = read.data?.counts.find(({ service }) => service === address['service'])
  return (
    <ListScreen<DeskRow>
      name="services"
      title={t('title')}
      about={read.data && !read.data.hours.isOpen ? t('closed', { at: displayTime(read.data.hours.opensTime) }) : t('about')}
      actions={
        paused ? (
          paused.paused === null ? (
            <CommandButton name="service.pause" input={{ service: paused.service }} about={paused.title} />
          ) : (
            <CommandButton name="service.resume" input={{ service: paused.service }} about={paused.title} />
          )
        ) : null
      }
      load={async ({ after, limit, service, mine }, signal) => {
        const { rows, next } = await serviceDeskApi.deskQueue(
          {
            limit,
            ...(after === undefined ? {} : { after }),
            ...(service === undefined ? {} : { service: String(service) }),
            ...(mine === undefined ? {} : { mine: 'true' as const }),
          },
          { signal },
        )
        return { rows, next }
      }}
      rowKey={(row) => row.id}
      views={[
        { id: 'all', label: t('viewAll'), set: { mine: undefined } },
        { id: 'mine', label: t('viewMine'), set: { mine: 'true' } },
      ]}
      chips={
        read.data?.counts.map(({ service, title, waiting, paused: why }) => ({
          name: 'service',
          value: service,
          label: why === null ? title : t('pausedChip', { title }),
          count: waiting,
        })) ?? []
      }
      columns={useColumns()}
      dim={(row) => row.takenBy !== null}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={5_000}
      sheet={({ id, close }) => <TaskSheet key={id} id={id} onClose={close} />}
    />
  )
}

/** Amount of an order; for one paid on a card, the amount on the card, because its own price on the balance is zero. */
function ListAmount({ row: { amount, card } }: { readonly row: DeskRow }) {
  const t = useTexts(serviceDeskTexts)
  if (!card && amount === '0') return <span className="text-fg-3">{t('free')}</span>
  return (
    <span className="num whitespace-nowrap">
      {card ? <span className="mr-2 text-12 text-fg-3">{t('cardShort', { last4: card.last4 })}</span> : null}
      {displayUsd(amount)}
    </span>
  )
}

function useColumns(): readonly ListColumn<DeskRow>[] {
  const t = useTexts(serviceDeskTexts)
  const nameOf = useOperatorName()
  return [
    {
      key: 'service',
      header: t('colService'),
      mobile: 'title',
      cell: (row) => <strong className="font-semibold">{row.title}</strong>,
      csv: (row) => row.service,
    },
    { key: 'product', header: t('colProduct'), cell: (row) => row.productName, csv: (row) => row.product },
    { key: 'state', header: t('colState'), cell: (row) => row.stateName, csv: (row) => row.state },
    { key: 'who', aside: true, header: t('colWho'), cell: (row) => <CustomerLink userId={row.userId} />, csv: (row) => row.userId },
    {
      key: 'amount',
      header: t('colAmount'),
      align: 'right',
      cell: (row) => <ListAmount row={row} />,
      csv: (row) => row.amount,
    },
    {
      key: 'age',
      header: t('colAge'),
      mobile: 'primary',
      cell: (row) => <AgeBar waited={row.waited} target={row.target} />,
      csv: (row) => `${row.waited}/${row.target}`,
    },
    {
      key: 'taken',
      header: t('colTaken'),
      cell: (row) => (row.takenBy ? nameOf(row.takenBy) : <span className="text-fg-3">—</span>),
      csv: (row) => row.takenBy ?? '',
    },
  ]
}
