import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { getButtonClass } from '#ui/button.tsx'

interface EnterProps {
  readonly to: string
  readonly look: 'primary' | 'secondary'
  readonly size?: 'sm'
  /** Accessible name that distinguishes the button from others in a list. */
  readonly label?: string
  readonly children: string
}

/** Button to a service; visitors sign in first and continue to the same page. */
export function EnterButton({ to, look, size, label, children }: EnterProps) {
  const signedIn = useSignedIn()
  const className = getButtonClass(look, size)
  if (signedIn)
    return (
      <Link to={to} className={className} aria-label={label}>
        {children}
      </Link>
    )
  return (
    <button type="button" className={className} aria-label={label} onClick={() => openDialog('auth', { mode: 'login', redirect: to })}>
      {children}
    </button>
  )
}
