import { KeyRound, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { commandsContract } from '../../contract-commands.console.ts'
import { consoleApi } from '../kit/api.ts'
import { commandsApi } from '../kit/command/command-api.ts'
import { proven } from '../kit/command/step-up-store.ts'
import { useOperatorName } from '../kit/operators.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { sumOf } from './sum-of.ts'
import { useSay } from '../kit/say.ts'
import { useMe } from '../kit/use-me.ts'
import type { OneCommand } from './one-command.ts'
import { approvalTexts } from './texts.ts'

const api = consoleApi({ review: commandsContract.review })

interface FootProps {
  readonly command: OneCommand
  /** Figures that are not as they were when it was asked for. */
  readonly moved: number
  readonly onDecided: () => void
}

/** The yes and the no; one's own is withdrawn, what is done may be undone. */
export function DecisionFoot({ command, moved, onDecided }: FootProps) {
  const t = useTexts(approvalTexts)
  const nameOf = useOperatorName()
  const { data: me } = useMe()
  const act = useDecision(onDecided)
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
      <YesOrNo command={command} moved={moved} act={act} />
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

function YesOrNo({ command, moved, act }: { readonly command: OneCommand; readonly moved: number; readonly act: ReturnType<typeof useDecision> }) {
  const t = useTexts(approvalTexts)
  const say = useSay()
  const nameOf = useOperatorName()
  const [reason, setReason] = useState('')
  const [lacks, setLacks] = useState(false)
  const name = nameOf(command.askedBy)
  const refuse = () => {
    if (!reason.trim()) return setLacks(true)
    act.run(() => commandsApi.refuse({ no: command.no, reason: reason.trim() }), t('refused'))
  }
  return (
    <div className="grid w-full gap-3">
      <TextField
        label={t('decideReason')}
        error={lacks ? t('refuseNeeds') : undefined}
        hint={t('askBackNote', { name })}
        value={reason}
        maxLength={2000}
        autoComplete="off"
        onChange={(event) => {
          setLacks(false)
          setReason(event.target.value)
        }}
      />
      <div className="flex flex-wrap justify-between gap-2">
        <Button size="lg" variant="secondary" className="text-danger!" loading={act.isRunning} onClick={refuse}>
          {t('refuse')}
        </Button>
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
            act: [say.command(command.name), sumOf(command)]
              .filter(Boolean)
              .map((part, at) => (at ? usdDisplay(part!) : part))
              .join(' '),
          })}
        </Button>
      </div>
    </div>
  )
}

/** One decision at a time, proved anew where that is asked for. */
function useDecision(onDecided: () => void) {
  const { run, isRunning } = useSubmit()
  return {
    isRunning,
    run: (call: () => Promise<unknown>, said: string) =>
      void run(async () => {
        await proven(call)
        toast.success(said)
        await queryClient.invalidateQueries()
        onDecided()
      }).then((error) => {
        if (error) toast.error(error.message)
      }),
  }
}
