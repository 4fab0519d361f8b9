import { KeyRound, Users } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import type { CommandRequest } from './types.ts'
import type { OpenCommand } from './use-command.ts'

/** The confirm button, labelled with the action and amount from the preview, and with the approval that the rules require. */
export function RequestButton({ command, wish }: { readonly command: OpenCommand; readonly wish: CommandRequest }) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const { level, preview } = command
  const act = (preview.data && !command.refusal && wish.label?.(preview.data.shown)) || say.command(wish.name)
  const waits = level === 'second' || level === 'two'
  const Icon = waits ? Users : level === 'stepUp' ? KeyRound : undefined
  return (
    <Button
      size="lg"
      className="max-w-full mobile:h-auto! mobile:min-h-11 mobile:whitespace-normal!"
      variant={wish.danger && !waits ? 'danger' : 'primary'}
      disabled={!command.canAsk}
      loading={command.isRunning}
      onClick={() => void command.ask()}
    >
      {Icon ? <Icon size={16} strokeWidth={1.75} aria-hidden="true" /> : null}
      {waits ? t('sendForApproval', { act }) : act}
    </Button>
  )
}
