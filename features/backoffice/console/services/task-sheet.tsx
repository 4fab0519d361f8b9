import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { servicesDeskContract } from '#features/services/contract.console.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { AgeBar } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useSignedInOperator, pollWhileAttended } from '../kit/use-me.ts'
import { serviceDeskApi, registrationDeskApi } from './api.ts'
import { CardReveal } from './card-reveal.tsx'
import { TaskAmount, TaskFacts, TaskRefusals } from './task-facts.tsx'
import { serviceDeskTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Countdown } from '#ui/time/countdown.tsx'

const REVEAL_SECONDS = 60

/** Credentials that the desk operator types for a registration: shown for 60 s, each view audited, deleted with the order. */
function AccountReveal({ id }: { readonly id: string }) {
  const t = useTexts(serviceDeskTexts)
  const { run, isRunning, failure } = useSubmit()
  const [shown, setShown] = useState<{ readonly account: string; readonly password: string; readonly until: number }>()
  const open = () =>
    void run(async () => {
      const found = await registrationDeskApi.registrationReveal({ id })
      setShown({ ...found, until: Date.now() + REVEAL_SECONDS * 1000 })
    })
  const hide = () => setShown(undefined)
  return (
    <section aria-label={t('accountTitle')} className="mt-4 grid gap-3 rounded-card border border-line p-3">
      <h3 className="text-13 font-semibold">{t('accountTitle')}</h3>
      {shown ? (
        <>
          <Countdown
            until={shown.until}
            of={REVEAL_SECONDS}
            label={t('revealLeft')}
            say={(seconds) => t('revealIn', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })}
            onEnd={hide}
          />
          <dl className="grid gap-2">
            <RevealedField label={t('accountName')} value={shown.account} copy={t('accountCopy')} />
            <RevealedField label={t('accountPassword')} value={shown.password} copy={t('accountPasswordCopy')} />
          </dl>
          <Button variant="secondary" size="sm" className="justify-self-start" onClick={hide}>
            {t('accountHide')}
          </Button>
        </>
      ) : (
        <>
          <p className="text-13 text-fg-2">{t('accountAbout')}</p>
          {failure ? (
            <p role="alert" className="text-13 text-danger">
              {failure.message}
            </p>
          ) : null}
          <Button variant="secondary" size="sm" className="justify-self-start" loading={isRunning} onClick={open}>
            {t('accountDo')}
          </Button>
        </>
      )}
    </section>
  )
}

function RevealedField({ label, value, copy }: { readonly label: string; readonly value: string; readonly copy: string }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <dt className="w-20 shrink-0 text-13 text-fg-2">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
        <span className="num min-w-0 text-14 font-medium break-all whitespace-normal">{value}</span>
        <CopyButton iconOnly text={value} label={copy} />
      </dd>
    </div>
  )
}

const MONEY_TEXT = { back: 'money_back', keep: 'money_keep', part: 'money_part' } as const
const KIND_TEXT = { note: 'kind_note', reference: 'kind_reference', picture: 'kind_picture' } as const
const CALL_TEXT = { refused: 'call_refused', answered: 'call_answered', meant: 'call_meant' } as const

/** Components that reveal an order's secrets, by service; shown only to the operator who has taken an open task. */
const SECRETS: Readonly<Partial<Record<string, (props: { id: string }) => ReactNode>>> = { openai: AccountReveal, upgrade: CardReveal }

type Task = ReplyOf<(typeof servicesDeskContract)['deskTask']>

/** A service order: details, next steps, history and possible outcomes. Only the operator who took it can finish it. */
export function TaskSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(serviceDeskTexts)
  const { data: me } = useSignedInOperator()
  const nameOf = useOperatorName()
  const read = useQuery({
    queryKey: ['services', id],
    queryFn: ({ signal }) => serviceDeskApi.deskTask({ id }, { signal }),
    refetchInterval: pollWhileAttended(5_000),
  })
  const task = read.data
  if (!task)
    return (
      <SideSheet title={t('task')} onClose={onClose}>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  const { row } = task
  const Secret = SECRETS[row.service]
  const isMine = row.takenBy !== null && row.takenBy === me?.id
  return (
    <SideSheet
      title={row.title}
      tags={<Badge tone={row.phase === 'failed' ? 'danger' : 'info'}>{row.stateName}</Badge>}
      about={
        <>
          <span className="num">{id}</span>
          <CustomerLink userId={row.userId} />
          <TaskAmount row={row} />
          <AgeBar waited={row.waited} target={row.target} />
        </>
      }
      onClose={onClose}
      foot={
        <>
          {row.takenBy && !isMine ? <p className="text-13 text-fg-2">{t('takenBy', { name: nameOf(row.takenBy) })}</p> : null}
          {isMine ? <CommandButton name="service.putBack" input={{ id }} about={row.productName} variant="ghost" /> : null}
          {task.ends.length ? (
            <CommandButton
              name="service.take"
              input={{ id }}
              about={row.productName}
              word={t(isMine ? 'longer' : 'take')}
              variant={isMine ? 'secondary' : 'primary'}
            />
          ) : null}
        </>
      }
    >
      <TaskRefusals task={task} />
      <TaskFacts facts={task.facts} />
      {task.todo.length ? (
        <section className="mt-4" aria-label={t('todo')}>
          <h3 className="mb-1 text-13 font-semibold">{t('todo')}</h3>
          <ol className="list-decimal pl-5 text-13">
            {task.todo.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      ) : null}
      {isMine && Secret && task.ends.length ? <Secret key={id} id={id} /> : null}
      {isMine && task.ends.length ? <Outcome task={task} /> : null}
      <TaskHistory task={task} />
      <div className="mt-4 flex flex-wrap gap-2">
        <CommandButton name="service.note" input={{ id }} about={row.productName} />
        <CommandButton name="service.return" input={{ id }} about={row.productName} />
      </div>
    </SideSheet>
  )
}

/** Form that finishes a task: success with the facts for the customer, or failure with a cause, which decides about the refund. */
function Outcome({ task: { row, ends, needs, causes } }: { readonly task: Task }) {
  const t = useTexts(serviceDeskTexts)
  const say = useConsoleFormatter()
  const [state, setState] = useState(ends[0]!.state)
  const [cause, setCause] = useState(causes[0]?.cause ?? '')
  const [facts, setFacts] = useState<Readonly<Record<string, string>>>({})
  const end = ends.find((each) => each.state === state)!
  const money = causes.find((each) => each.cause === cause)?.money
  const isWhole = end.isGood ? needs.every((name) => facts[name]?.trim()) : cause !== ''
  return (
    <form
      className="mt-4 grid gap-3 rounded-card border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault()
        openCommand({
          name: 'service.finish',
          input: { id: row.id, state, cause: end.isGood ? '' : cause, facts: end.isGood ? facts : {} },
          about: row.productName,
          label: () => end.name,
          danger: !end.isGood,
        })
      }}
    >
      <h3 className="text-13 font-semibold">{t('outcome')}</h3>
      <PickField label={t('endsAs')} value={state} onChange={setState} options={ends.map((each) => ({ value: each.state, label: each.name }))} />
      {end.isGood ? (
        needs.map((name) => (
          <TextField
            key={name}
            label={say.fact(name)}
            value={facts[name] ?? ''}
            onChange={(event) => setFacts((old) => ({ ...old, [name]: event.target.value }))}
          />
        ))
      ) : (
        <PickField
          label={t('cause')}
          value={cause}
          onChange={setCause}
          hint={money ? t(MONEY_TEXT[money]) : undefined}
          options={causes.map((each) => ({ value: each.cause, label: each.name }))}
        />
      )}
      <Button type="submit" className="justify-self-start" disabled={!isWhole}>
        {t('toPreview')}
      </Button>
    </form>
  )
}

function TaskHistory({ task: { steps, evidence, calls } }: { readonly task: Task }) {
  const t = useTexts(serviceDeskTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  return (
    <section className="mt-4" aria-label={t('past')}>
      <h3 className="mb-1 text-13 font-semibold">{t('past')}</h3>
      <ul className="divide-y divide-line">
        {steps.map(({ at, name, cause, note }) => (
          <li key={`${at} ${name}`} className="flex flex-wrap gap-x-3 py-1.5 text-13">
            <span className="min-w-0 flex-1">
              {name}
              {cause ? <span className="text-warning"> {cause}</span> : null}
              {note ? <span className="text-fg-2"> {note}</span> : null}
            </span>
            <Time at={at} className="text-fg-3" />
          </li>
        ))}
        {evidence.map(({ at, operatorId, kind, body }) => (
          <li key={`${at} ${body}`} className="flex flex-wrap gap-x-3 py-1.5 text-13">
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <Badge>{t(resolveTextKey(KIND_TEXT, kind))}</Badge> {body}
            </span>
            <span className="text-fg-3">{nameOf(operatorId)}</span>
            <Time at={at} className="text-fg-3" />
          </li>
        ))}
        {calls.map(({ verb, supplier, state, tries, refused }) => (
          <li key={`${verb} ${supplier}`} className="flex flex-wrap gap-x-3 py-1.5 text-13">
            <span className="num min-w-0 flex-1">
              {supplier} · {verb}
            </span>
            <span className={refused ? 'text-warning' : 'text-fg-2'}>{refused ? say.reason(refused) : t(CALL_TEXT[state])}</span>
            <span className="text-fg-3">{t('triesN', { n: tries })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
