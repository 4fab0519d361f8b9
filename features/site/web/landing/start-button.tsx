import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { getButtonClass, type ButtonVariant } from '#ui/button.tsx'
import { firstTexts } from '../../first-texts.ts'

interface StartProps {
  readonly variant?: ButtonVariant
  /** Target for a signed-in user: the API, or the services on the member page. */
  readonly to?: '/api' | '/service'
}

/** Leads to the product if signed in, else opens the sign-in dialog. The member page shows its services to all visitors. */
export function StartButton({ variant = 'primary', to = '/api' }: StartProps) {
  const t = useTexts(firstTexts)
  const look = getButtonClass(variant, 'lg')
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
