import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { ModelRow } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'

/** When a model goes, and what takes its place; nothing for one that stays. */
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
