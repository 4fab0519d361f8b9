import { useTexts } from '#platform/web/i18n.ts'
import { gatewayTexts } from '../../texts.ts'

export function NoContentStored() {
  const t = useTexts(gatewayTexts)
  return <p className="mt-4 text-13 text-fg-3">{t('callKeptNothing')}</p>
}
