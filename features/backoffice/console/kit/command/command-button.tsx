import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import type { ButtonVariant } from '#ui/button.tsx'
import { useConsoleFormatter } from '../format.ts'
import { openCommand } from './command-store.ts'
import type { CommandRequest } from './types.ts'
import { useCommandCatalogue } from './use-command.ts'

interface CommandButtonProps extends CommandRequest {
  readonly variant?: ButtonVariant
  readonly icon?: ReactNode
  /** Overrides the command's own label. */
  readonly word?: string
  readonly look?: 'button' | 'line'
}

/** Opens a command's dialog; hidden if the operator may not run it. The ellipsis in the label announces a preview. */
export function CommandButton({ variant = 'secondary', icon, word, look = 'button', ...wish }: CommandButtonProps) {
  const say = useConsoleFormatter()
  const { data } = useCommandCatalogue()
  if (!data?.commands.some(({ name, may }) => name === wish.name && may)) return null
  const text = `${word ?? say.command(wish.name)}…`
  if (look === 'line')
    return (
      <button
        type="button"
        className="flex min-h-9 w-full items-center gap-2.5 border-b border-line text-left text-13 last:border-0 hover:text-brand-text"
        onClick={() => openCommand(wish)}
      >
        {icon}
        {text}
      </button>
    )
  return (
    <Button variant={variant} onClick={() => openCommand(wish)}>
      {icon}
      {text}
    </Button>
  )
}
