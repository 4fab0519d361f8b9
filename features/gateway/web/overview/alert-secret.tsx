import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { gatewayTexts } from '../../texts.ts'

interface AlertSecretProps {
  readonly secret: string | undefined
  readonly onClose: () => void
}

/** A webhook's secret is shown once, in a dialog that its button alone closes. */
export function AlertSecret({ secret, onClose }: AlertSecretProps) {
  const t = useTexts(gatewayTexts)
  return (
    <Dialog
      open={secret !== undefined}
      onClose={onClose}
      closable={false}
      title={t('alertSecretTitle')}
      footer={<Button onClick={onClose}>{t('keySaved')}</Button>}
    >
      <p className="text-14 text-warning">{t('alertSecretWarn')}</p>
      <div className="mt-4 flex items-center gap-3 rounded-card border border-line bg-sunken p-4 mobile:flex-col mobile:items-stretch">
        <code className="min-w-0 flex-1 font-mono text-14 break-all select-all">{secret}</code>
        <CopyButton text={secret ?? ''} label={t('copySecret')} variant="primary" size="md" />
      </div>
      <p className="mt-3 mb-2 text-13">
        <Link to="/help/$slug" params={{ slug: 'alerts' }} hash="verify" target="_blank" className="link">
          {t('alertsHelp')}
        </Link>
      </p>
    </Dialog>
  )
}
