import { Undo2, X } from 'lucide-react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import { useConsoleKeys } from '../keys.ts'
import { KeyCap } from '../marks.tsx'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import { commandsApi } from './command-api.ts'
import { runWithStepUp } from './step-up-store.ts'
import { removeUndo } from './undo-store.ts'
import type { UndoableCommand } from './undo-store.ts'

/** The last command, a countdown of its undo window, and the undo button. */
export function UndoLine({ done }: { readonly done: UndoableCommand }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const seconds = useCountdown(done.until, () => removeUndo(done.no))
  const { run, isRunning } = useSubmit()
  const undo = () =>
    run(async () => {
      await runWithStepUp(() => commandsApi.undo({ no: done.no }))
      removeUndo(done.no)
      toast.success(t('undone', { act: say.command(done.name) }))
      done.onUndone?.()
      await queryClient.invalidateQueries()
    }).then((error) => {
      if (error) toast.error(error.message)
    })
  useConsoleKeys({ z: () => void undo() })
  return (
    <div role="status" className="flex min-h-11 items-center gap-3 border-t border-line bg-surface px-5 text-13 mobile:px-4">
      <span className="min-w-0 flex-1 truncate">{t('doneOn', { act: say.command(done.name), subject: say.subject(done.subject) })}</span>
      <Button variant="secondary" onClick={() => void undo()} loading={isRunning}>
        <Undo2 size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('undo')}
        <span className="num text-fg-3" aria-hidden="true">
          {formatClock(seconds)}
        </span>
        <span className="mobile:hidden" aria-hidden="true">
          <KeyCap>Z</KeyCap>
        </span>
      </Button>
      <button type="button" aria-label={t('dismiss')} title={t('dismiss')} className="icon-btn" onClick={() => removeUndo(done.no)}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}
