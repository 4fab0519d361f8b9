import { createApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { devTexts } from './texts.ts'

export function StatesShow() {
  const t = useTexts(devTexts)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap gap-2">
        <Badge tone="success">{t('ok')}</Badge>
        <Badge tone="warning">{t('wait')}</Badge>
        <Badge tone="danger">{t('fail')}</Badge>
        <Badge tone="info">{t('info')}</Badge>
        <Badge tone="brand">{t('recharge')}</Badge>
        <Badge>{t('tokens')}</Badge>
      </div>
      <div className="card">
        <SkeletonRows rows={3} />
      </div>
      <div className="card">
        <EmptyState title={t('emptyTitle')} body={t('emptyBody')} action={<Button>{t('emptyAction')}</Button>} />
      </div>
      <div className="grid gap-2 desktop:grid-cols-2">
        {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
          <AlertBox key={kind} kind={kind} title={t('toastText')}>
            {t('confirmBody')}
          </AlertBox>
        ))}
        <AlertBox kind="custom" className="border-dashed">
          {t('dialogBody')}
        </AlertBox>
      </div>
      <div className="flex items-center gap-1">
        <kbd className="kbd">G</kbd>
        <kbd className="kbd">K</kbd>
      </div>
      <ErrorState error={createApiError(t('fail'), { code: 500, requestId: 'req_01K9ZQ4T7W' })} onRetry={() => undefined} />
      <ListEnd hasMore={false} loading={false} onMore={() => undefined} />
    </div>
  )
}

const sizes = ['text-12', 'text-13', 'text-14', 'text-16', 'text-18', 'text-20', 'text-28', 'text-40'] as const
const colors = [
  'bg-bg',
  'bg-surface',
  'bg-sunken',
  'bg-line',
  'bg-control',
  'bg-fg',
  'bg-brand',
  'bg-brand-soft',
  'bg-success',
  'bg-warning',
  'bg-danger',
  'bg-info',
  'bg-seal',
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
] as const

export function TypeShow() {
  const t = useTexts(devTexts)
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-4">
        {sizes.map((size) => (
          <span key={size} className={size}>
            {t('title')} Ag 0.0476
          </span>
        ))}
      </div>
      <ul className="mt-4 flex flex-wrap gap-2">
        {colors.map((color) => (
          <li key={color} className="text-12 text-fg-2">
            <span className={`block h-10 w-16 rounded-control border border-line ${color}`} />
            {color.slice(3)}
          </li>
        ))}
      </ul>
    </>
  )
}
