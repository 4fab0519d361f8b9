import { CircleCheck, Users } from 'lucide-react'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { useSay } from '../say.ts'
import { kitTexts } from '../texts.ts'
import { AskButton } from './ask-button.tsx'
import { CommandBody } from './command-body.tsx'
import { closeCommand } from './command-store.ts'
import type { CommandView } from '../../../contract-commands.console.ts'
import type { CommandWish } from './types.ts'
import { useCommand } from './use-command.ts'

/** The dialog of every command, opened with `openCommand`. */
export function CommandDialog({ wish }: { readonly wish: CommandWish }) {
  const t = useTexts(kitTexts)
  const say = useSay()
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
            <AskButton command={command} wish={wish} />
          </>
        )
      }
    >
      {done && !isFinished ? <Outcome view={done} /> : <CommandBody command={command} wish={wish} />}
    </Dialog>
  )
}

/** Result page of a command that waits for approval or did not end as done. */
function Outcome({ view }: { readonly view: CommandView }) {
  const t = useTexts(kitTexts)
  const say = useSay()
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
      <a className={buttonClass('secondary', 'md', 'mt-1')} href={`/approvals?open=${view.no}`}>
        {t('seeIt')}
      </a>
    </div>
  )
}
