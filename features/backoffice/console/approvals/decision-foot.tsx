import { KeyRound, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { commandsContract } from '../../contract-commands.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { commandsApi } from '../kit/command/command-api.ts'
import { useOperatorName } from '../kit/operators.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator } from '../kit/use-me.ts'
import { approvalTexts } from './texts.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { toast } from '#ui/layers/toast.ts'
import { runWithStepUp } from '../kit/command/step-up-store.ts'

/** Sends one decision at a time, with step-up authentication when required. */
export function useCommandDecision(onDecided: () => void) {
  const { run, isRunning } = useSubmit()
  return {
    isRunning,
    run: (call: () => Promise<unknown>, said: string) =>
      void run(async () => {
        await runWithStepUp(call)
        toast.success(said)
        await queryClient.invalidateQueries()
        onDecided()
      }).then((error) => {
        if (error) toast.error(error.message)
      }),
  }
}
export type CommandDecision = ReturnType<typeof useCommandDecision>

export type CommandDetail = ReplyOf<typeof commandsContract.one>

const AMOUNT_FIGURES = ['total', 'amount'] as const

/** Dollar amount that a command moves: from the current preview, else the stored preview, else the input; undefined if it moves none. */
export function findCommandAmount({ now, preview, input }: Pick<CommandDetail, 'now' | 'preview' | 'input'>): string | undefined {
  const shown = now ?? preview
  const known = new Map<string, unknown>([
    ...Object.entries(input),
    ...shown.changes.map(({ name, after }) => [name, after] as const),
    ...Object.entries(shown.result),
  ])
  const found = AMOUNT_FIGURES.map((name) => known.get(name)).find((value) => typeof value === 'string' && /^\d{1,10}(\.\d{1,9})?$/.test(value))
  return found as string | undefined
}

const api = createConsoleApi({ review: commandsContract.review })

interface FootProps {
  readonly command: CommandDetail
  /** Number of figures that have changed since the request. */
  readonly moved: number
  readonly act: CommandDecision
}

/** Buttons to approve and refuse; to withdraw for the requester; to undo once it is done. */
export function DecisionFoot({ command, moved, act }: FootProps) {
  const t = useTexts(approvalTexts)
  const nameOf = useOperatorName()
  const { data: me } = useSignedInOperator()
  const isOwn = command.askedBy === me?.id
  if (command.state === 'waiting')
    return isOwn ? (
      <>
        <p className="text-12 text-fg-2">{t('ownNote')}</p>
        <Button size="lg" variant="secondary" loading={act.isRunning} onClick={() => act.run(() => commandsApi.withdraw({ no: command.no }), t('withdrawn'))}>
          {t('withdraw')}
        </Button>
      </>
    ) : (
      <DecisionButtons command={command} moved={moved} act={act} />
    )
  if (command.via === 'breakGlass')
    return command.reviewedBy ? (
      <p className="text-12 text-fg-2">{t('reviewedBy', { name: nameOf(command.reviewedBy) })}</p>
    ) : (
      <>
        <p className="max-w-[32ch] text-12 text-warning">{t('needsReview')}</p>
        <Button size="lg" disabled={isOwn} loading={act.isRunning} onClick={() => act.run(() => api.review({ no: command.no }), t('reviewGlass'))}>
          {t('reviewGlass')}
        </Button>
      </>
    )
  if (!command.canBeUndone) return null
  return (
    <Button size="lg" variant="secondary" loading={act.isRunning} onClick={() => act.run(() => commandsApi.undo({ no: command.no }), t('undo'))}>
      <Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />
      {t('undo')}
    </Button>
  )
}

function DecisionButtons({ command, moved, act }: { readonly command: CommandDetail; readonly moved: number; readonly act: CommandDecision }) {
  const t = useTexts(approvalTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const [reason, setReason] = useState('')
  const [lacks, setLacks] = useState<'refuseNeeds' | 'askNeeds'>()
  const name = nameOf(command.askedBy)
  const refuse = () => {
    if (!reason.trim()) return setLacks('refuseNeeds')
    act.run(() => commandsApi.refuse({ no: command.no, reason: reason.trim() }), t('refused'))
  }
  const askBack = () => {
    const text = reason.trim()
    if (!text) return setLacks('askNeeds')
    act.run(() => commandsApi.question({ no: command.no, text: text.slice(0, 1000) }).then(() => setReason('')), t('askedBackDone', { name }))
  }
  return (
    <div className="grid w-full gap-3">
      <TextField
        label={t('decideReason')}
        error={lacks ? t(lacks) : undefined}
        hint={t('askBackNote')}
        value={reason}
        maxLength={2000}
        autoComplete="off"
        onChange={(event) => {
          setLacks(undefined)
          setReason(event.target.value)
        }}
      />
      <div className="flex flex-wrap justify-between gap-2">
        <span className="flex flex-wrap gap-2">
          <Button size="lg" variant="secondary" className="text-danger!" loading={act.isRunning} onClick={refuse}>
            {t('refuse')}
          </Button>
          <Button size="lg" variant="secondary" loading={act.isRunning} onClick={askBack}>
            {t('askBack', { name })}
          </Button>
        </span>
        <Button
          size="lg"
          disabled={moved > 0}
          loading={act.isRunning}
          onClick={() =>
            act.run(
              () => commandsApi.approve({ no: command.no, reason: reason.trim() }),
              t(command.needs > 1 && !command.decisions.length ? 'approvedWaits' : 'approved'),
            )
          }
        >
          <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('approveAct', {
            act: [say.command(command.name), findCommandAmount(command)]
              .filter(Boolean)
              .map((part, at) => (at ? displayUsd(part!) : part))
              .join(' '),
          })}
        </Button>
      </div>
    </div>
  )
}
