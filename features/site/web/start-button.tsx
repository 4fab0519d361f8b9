import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/session.ts'
import { buttonClass, type ButtonVariant } from '#ui/button.tsx'
import { siteTexts } from '../texts.ts'

/** To the console when signed in, else to the sign-in dialog. */
export function StartButton({ variant = 'primary' }: { readonly variant?: ButtonVariant }) {
  const t = useTexts(siteTexts)
  const look = buttonClass(variant, 'lg')
  if (useSignedIn())
    return (
      <Link to="/api" className={look}>
        {t('hero_start')}
      </Link>
    )
  return (
    <button type="button" className={look} onClick={() => openDialog('auth', { mode: 'register' })}>
      {t('hero_start')}
    </button>
  )
}
