import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { toast } from '#ui/layers/toast.ts'
import { securityTexts } from '../../texts-security.ts'
import { securityApi } from '../security/api.ts'
import { parseDevice } from '#platform/shared/device-name.ts'

const KEY = ['account', 'sessions']

/** The user's sessions; ends one of them, or all others. */
export function SessionsSection() {
  const t = useTexts(securityTexts)
  const cache = useQueryClient()
  const list = useQuery({ queryKey: KEY, queryFn: ({ signal }) => securityApi.sessions({}, { signal }), staleTime: 0 })
  const [busy, setBusy] = useState<string>()
  const end = async (id: string, call: () => Promise<unknown>, done: string) => {
    if (busy) return
    setBusy(id)
    try {
      await call()
      toast.success(done)
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      await cache.invalidateQueries({ queryKey: KEY })
      setBusy(undefined)
    }
  }
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <SkeletonRows rows={3} />
  const { sessions, unusedDays, mostDays } = list.data
  const others = sessions.filter((one) => !one.current)
  const endOthers = async () => {
    if (!(await confirm({ title: t('ses_end_others_title'), body: t('ses_end_others_body'), action: t('ses_end_others'), danger: true }))) return
    await end('others', () => securityApi.endOtherSessions(), t('ses_ended_others'))
  }
  return (
    <>
      <ul className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
        {sessions.map((one) => {
          const device = parseDevice(one.userAgent)
          const Icon = device.isPhone ? Smartphone : Laptop
          const name = device.name || t('ses_unknown')
          return (
            <li key={one.id} className="flex items-center gap-4 py-4 mobile:gap-3">
              <Icon size={22} strokeWidth={1.5} aria-hidden="true" className="shrink-0 text-fg-3" />
              <div className="min-w-0 flex-1 text-14">
                <p className="flex flex-wrap items-center gap-x-2 font-medium">
                  {name}
                  {one.current ? <Badge tone="brand">{t('ses_current')}</Badge> : null}
                </p>
                <p className="text-13 text-fg-3">
                  <span className="num break-all whitespace-normal">{one.ip}</span> · {t('ses_seen')} <Time at={one.lastSeenAt} />
                </p>
                <p className="text-13 text-fg-3">
                  {t('ses_since')} <Time at={one.createdAt} /> · {t('ses_until')} <Time at={one.endsAt} show="day" />
                </p>
              </div>
              {one.current ? null : (
                <Button
                  variant="secondary"
                  size="sm"
                  loading={busy === one.id}
                  aria-label={t('ses_end_of', { name })}
                  onClick={() => void end(one.id, () => securityApi.endSession({ sessionId: one.id }), t('ses_ended'))}
                >
                  {t('ses_end')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-fg-3">{t('ses_note', { unused: unusedDays, most: mostDays })}</p>
        {others.length > 0 ? (
          <Button variant="secondary" loading={busy === 'others'} onClick={() => void endOthers()}>
            {t('ses_end_others')}
          </Button>
        ) : null}
      </div>
    </>
  )
}
