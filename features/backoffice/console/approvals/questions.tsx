import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { TimelineStep } from '#ui/time/timeline.tsx'
import { commandsApi } from '../kit/command/command-api.ts'
import { useOperatorName } from '../kit/operators.ts'
import type { CommandDetail } from './command-detail.ts'
import { approvalTexts } from './texts.ts'
import type { CommandDecision } from './use-decision.ts'

type Question = CommandDetail['questions'][number]

/** Questions and answers as history steps; each key ends with the timestamp. */
export function useQuestionSteps({ questions, askedBy }: CommandDetail): TimelineStep[] {
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
export function OpenQuestions({ command, act, isOwn }: { readonly command: CommandDetail; readonly act: CommandDecision; readonly isOwn: boolean }) {
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
