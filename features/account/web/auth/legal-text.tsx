import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { accountTexts } from '../../texts.ts'

/** I have read and agree to the agreement, the terms and the privacy policy; all open beside the form, which stays. */
export function LegalText() {
  const t = useTexts(accountTexts)
  const link = (to: string, text: string) => (
    <a href={to} target="_blank" rel="noopener" className="link">
      {text}
    </a>
  )
  return (
    <>
      {t('auth_agree')}{' '}
      <button type="button" className="link" onClick={() => openDialog('protocol')}>
        {t('auth_protocol')}
      </button>
      {t('auth_comma')}
      {link('/terms', t('auth_terms'))} {t('auth_and')} {link('/privacy', t('auth_privacy'))}
    </>
  )
}
