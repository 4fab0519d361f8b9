import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { TimelineStep } from '#ui/time/timeline.tsx'
import { commandsApi } from '../kit/command/command-api.ts'
import { CommandNotice } from '../kit/command/command-body.tsx'
import { InputSummary } from '../kit/command/input-summary.tsx'
import { listMovedFigures } from '../kit/command/moved-figures.ts'
import { PreviewReceipt } from '../kit/command/preview-receipt.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { AgeBar } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useSignedInOperator } from '../kit/use-me.ts'
import { DecisionFoot, useCommandDecision } from './decision-foot.tsx'
import type { CommandDetail, CommandDecision } from './decision-foot.tsx'
import { CommandStateBadge } from './state-badge.tsx'
import { approvalTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'

type Question = CommandDetail['questions'][number]

/** Questions and answers as history steps; each key ends with the timestamp. */
function useQuestionSteps({ questions, askedBy }: CommandDetail): TimelineStep[] {
  const t = useTexts(approvalTexts)
  const nameOf = useOperatorName()
  return questions.flatMap(({ id, operatorId, text, at, answer, answeredAt }) => [
    { key: `question${id} ${at}`, state: 'done' as const, text: t('question', { name: nameOf(operatorId) }), note: `“${text}”`, time: <Time at={at} /> },
    ...(answer !== null && answeredAt !== null
      ? [
          {
            key: `answer${id} ${answeredAt}`,
            state: 'done' as const,
            text: t('answerOf', { name: nameOf(askedBy) }),
            note: `“${answer}”`,
            time: <Time at={answeredAt} />,
          },
        ]
      : []),
  ])
}

/** Open questions about a command: its requester can answer, other operators see that they are open. */
function OpenQuestions({ command, act, isOwn }: { readonly command: CommandDetail; readonly act: CommandDecision; readonly isOwn: boolean }) {
  const open = command.state === 'waiting' ? command.questions.filter(({ answer }) => answer === null) : []
  return open.map((question) => <OpenQuestion key={question.id} no={command.no} question={question} act={act} isOwn={isOwn} />)
}

function OpenQuestion({
  no,
  question,
  act,
  isOwn,
}: {
  readonly no: string
  readonly question: Question
  readonly act: CommandDecision
  readonly isOwn: boolean
}) {
  const t = useTexts(approvalTexts)
  const nameOf = useOperatorName()
  const [text, setText] = useState('')
  const [lacks, setLacks] = useState(false)
  const name = nameOf(question.operatorId)
  const answer = () => {
    if (!text.trim()) return setLacks(true)
    act.run(() => commandsApi.answer({ no, questionId: question.id, text: text.trim() }), t('answered'))
  }
  return (
    <section aria-label={t('question', { name })} className="grid gap-2 rounded-card border border-warning p-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-13">
        <strong className="font-semibold text-warning">{t('question', { name })}</strong>
        <span className="text-fg-3">
          <Time at={question.at} />
        </span>
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{question.text}</p>
      {isOwn ? (
        <div className="flex flex-wrap items-end gap-2">
          <TextField
            fieldClassName="min-w-48 flex-1"
            label={t('yourAnswer', { name })}
            error={lacks ? t('answerNeeds') : undefined}
            value={text}
            maxLength={1000}
            autoComplete="off"
            onChange={(event) => {
              setLacks(false)
              setText(event.target.value)
            }}
          />
          <Button loading={act.isRunning} onClick={answer}>
            {t('answer')}
          </Button>
        </div>
      ) : (
        <p className="text-13 text-fg-2">{t('noAnswer')}</p>
      )}
    </section>
  )
}

const VIA_TEXT = { session: 'via_session', token: 'via_token', breakGlass: 'via_breakGlass' } as const
const VERDICT_TEXT = { approve: 'verdict_approve', refuse: 'verdict_refuse' } as const

/** A requested command: its reason, a fresh preview, and the buttons to approve or refuse it. */
export function ApprovalSheet({ no, onClose }: { readonly no: string; readonly onClose: () => void }) {
  const say = useConsoleFormatter()
  const { data: me } = useSignedInOperator()
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['command', no],
    queryFn: ({ signal }) => commandsApi.one({ no }, { signal }),
    retry: false,
    refetchOnWindowFocus: 'always',
  })
  const act = useCommandDecision(() => void refetch())
  if (!data)
    return (
      <SideSheet title={no} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  return (
    <SideSheet
      title={say.command(data.name)}
      tags={<CommandStateBadge state={data.state} askedBack={data.askedBack} />}
      about={
        <>
          <span className="num">{data.no}</span>
          <CopyButton iconOnly text={data.no} className="-my-2" />
          {data.subject.startsWith('user:') ? <CustomerLink userId={data.subject.slice(5)} /> : <span className="num">{say.subject(data.subject)}</span>}
        </>
      }
      onClose={onClose}
      foot={<DecisionFoot command={data} moved={listChangedFigures(data).length} act={act} />}
    >
      <ApprovalBody command={data} at={dataUpdatedAt} questions={<OpenQuestions command={data} act={act} isOwn={data.askedBy === me?.id} />} />
    </SideSheet>
  )
}

/** Same target as in the work list. */
const TARGET_MINUTES = 1440
const listChangedFigures = ({ preview, now, loose }: CommandDetail) => (now ? (now.refusal ? ['refusal'] : listMovedFigures(preview, now, loose)) : [])

/** The requester, the time and reason of the request, and how long it has waited. */
function RequestFacts({ command }: { readonly command: CommandDetail }) {
  const t = useTexts(approvalTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  return (
    <div>
      <p>
        <strong className="font-semibold">{t('askedBy', { name: nameOf(command.askedBy), at: displayTime(command.askedAt) })}</strong>{' '}
        <span className="text-fg-2">{t(resolveTextKey(VIA_TEXT, command.via))}</span>
      </p>
      <p className="mt-1 text-fg-2">
        {say.reason(command.reasonCode)} · “{command.reason}”
      </p>
      {command.state === 'waiting' ? (
        <p className="mt-1">
          <AgeBar waited={(Date.now() - Date.parse(command.askedAt)) / 60_000} target={TARGET_MINUTES} />
        </p>
      ) : null}
      {command.link ? (
        <p className="mt-1 [overflow-wrap:anywhere] text-fg-2">
          {t('ticket')} {command.link}
          <CopyButton iconOnly text={command.link} className="-my-2" />
        </p>
      ) : null}
    </div>
  )
}

function ApprovalBody({ command, at, questions }: { readonly command: CommandDetail; readonly at: number; readonly questions: ReactNode }) {
  const t = useTexts(approvalTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const { now, preview } = command
  const moved = listChangedFigures(command)
  const asked = useQuestionSteps(command)
  return (
    <div className="grid grid-cols-1 gap-4">
      <RequestFacts command={command} />
      {questions}
      {now?.refusal ? (
        <CommandNotice tone="danger">{say.refusal(now.refusal.name)}</CommandNotice>
      ) : (
        <PreviewReceipt
          shown={now ?? preview}
          before={now ? preview : undefined}
          loose={command.loose}
          at={now ? at : Date.parse(command.askedAt)}
          approving={command.state === 'waiting'}
          note={now ? `${displayTime(at, 'second').slice(11)} ${moved.length ? '' : t('sameAsSeen', { name: nameOf(command.askedBy) })}` : undefined}
        />
      )}
      {moved.length && !now?.refusal ? <CommandNotice tone="warning">{t('movedSince', { n: moved.length })}</CommandNotice> : null}
      {command.difference ? (
        <CommandNotice tone="danger" title={t('difference')}>
          {command.difference.refusal ? say.refusal(command.difference.refusal.name) : null}
        </CommandNotice>
      ) : null}
      <InputSummary title={t('whatItSays')} input={command.input} but={preview.changes.some(({ name }) => name === 'rules') ? ['rules'] : []} />
      <section aria-label={t('steps')}>
        <h3 className="mb-2 text-13 font-semibold">{t('steps')}</h3>
        <Timeline
          label={t('steps')}
          steps={[
            ...command.steps.map((step) => ({
              key: `${step.state}${step.at}`,
              state: 'done' as const,
              text: say.state(step.state),
              time: <Time at={step.at} />,
            })),
            ...asked,
            ...command.decisions.map((one) => ({
              key: `${one.operatorId}${one.at}`,
              state: one.verdict === 'approve' ? ('done' as const) : ('failed' as const),
              text: t(resolveTextKey(VERDICT_TEXT, one.verdict), { name: nameOf(one.operatorId) }),
              note: one.reason,
              time: <Time at={one.at} />,
            })),
          ].toSorted((a, b) => a.key.slice(-24).localeCompare(b.key.slice(-24)))}
        />
      </section>
      <p className="flex items-start gap-2 text-12 text-fg-3">
        <Scale size={14} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden="true" />
        <span>
          {t('rule', { version: command.rulesVersion, level: say.level(command.level) })}
          {command.state === 'waiting' ? ` ${t('expires', { at: displayTime(command.expiresAt) })}` : ''}
        </span>
      </p>
    </div>
  )
}
