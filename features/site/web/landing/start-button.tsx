import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { buttonClass, type ButtonVariant } from '#ui/button.tsx'
import { firstTexts } from '../../first-texts.ts'

interface StartProps {
  readonly variant?: ButtonVariant
  /** Where a signed-in user goes: the API, or all services on the member page. */
  readonly to?: '/api' | '/service'
}

/** To the product when signed in, else to the sign-in dialog. The member page shows its services to everybody. */
export function StartButton({ variant = 'primary', to = '/api' }: StartProps) {
  const t = useTexts(firstTexts)
  const look = buttonClass(variant, 'lg')
  if (useSignedIn() || to === '/service')
    return (
      <Link to={to} className={look}>
        {t('hero_start')}
      </Link>
    )
  return (
    <button type="button" className={look} onClick={() => openDialog('auth', { mode: 'register' })}>
      {t('hero_start')}
    </button>
  )
}
