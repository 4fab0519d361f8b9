import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { ModelRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'

/** Shows when a model ends and what replaces it; nothing for a model without an announced end. */
export function LifecycleBadge({ row }: { readonly row: ModelRow }) {
  const t = useTexts(gatewayTexts)
  const ends = row.retiresOn
    ? row.successor
      ? t('retiresTo', { date: row.retiresOn, successor: row.successor })
      : t('retires', { date: row.retiresOn })
    : row.lifecycle === 'deprecated'
      ? t('retireSoon')
      : undefined
  return ends ? <Badge tone="warning">{ends}</Badge> : null
}
