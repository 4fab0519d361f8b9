import { CircleCheck, Users } from 'lucide-react'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import { RequestButton } from './request-button.tsx'
import { CommandBody } from './command-body.tsx'
import { closeCommand } from './command-store.ts'
import type { CommandView } from '../../../contract-commands.console.ts'
import type { CommandRequest } from './types.ts'
import { useCommand } from './use-command.ts'

/** The dialog of every command, opened with `openCommand`. */
export function CommandDialog({ wish }: { readonly wish: CommandRequest }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const command = useCommand(wish)
  const { done } = command
  const isFinished = done !== undefined && done.state === 'done'
  useEffect(() => {
    if (!isFinished) return
    toast.success(t('didIt', { act: say.command(wish.name) }))
    closeCommand()
  }, [isFinished, t, say, wish.name])
  return (
    <Dialog
      open
      onClose={closeCommand}
      title={say.command(wish.name)}
      description={wish.about}
      footer={
        done ? (
          <Button size="lg" variant="secondary" onClick={closeCommand}>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button size="lg" variant="secondary" onClick={closeCommand}>
              {t('cancel')}
            </Button>
            <RequestButton command={command} wish={wish} />
          </>
        )
      }
    >
      {done && !isFinished ? <CommandOutcome view={done} /> : <CommandBody command={command} wish={wish} />}
    </Dialog>
  )
}

/** Result page of a command that waits for approval or did not end as done. */
function CommandOutcome({ view }: { readonly view: CommandView }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const waits = view.state === 'waiting'
  const Icon = waits ? Users : CircleCheck
  return (
    <div className="grid justify-items-center gap-2 py-6 text-center" role="status">
      <Icon size={28} strokeWidth={1.5} className={waits ? 'text-warning' : 'text-success'} aria-hidden="true" />
      <p className="text-16 font-semibold">{waits ? t('sentForApproval') : say.state(view.state)}</p>
      <p className="max-w-sm text-13 text-fg-2">{waits ? t(view.needs > 1 ? 'waitsForTwo' : 'waitsForOne') : null}</p>
      <p className="num flex items-center gap-1 text-13">
        {view.no}
        <CopyButton iconOnly text={view.no} label={t('copyNo')} />
      </p>
      <a className={getButtonClass('secondary', 'md', 'mt-1')} href={`/approvals?open=${view.no}`}>
        {t('seeIt')}
      </a>
    </div>
  )
}
