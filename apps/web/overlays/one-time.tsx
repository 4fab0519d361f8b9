import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { gatewayContract } from '#features/gateway/contract.ts'
import { claimTip, useCurrentUser } from '#features/account/web/index.tsx'
import { createApi } from '#platform/web/calls/api.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { notifyOnce } from '#platform/web/once.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { findNewModels } from '../new-models.ts'
import { layerTexts } from '../layer-texts.ts'

const api = createApi({ modelPrice: gatewayContract.modelPrice })

/** Notices that each user sees once. */
export function OneTimeNotices() {
  return (
    <QueryProvider>
      <NewModels />
    </QueryProvider>
  )
}

/** Announces new models once per user, but only those released after the user joined. */
function NewModels() {
  const t = useTexts(layerTexts)
  const navigate = useNavigate()
  const me = useCurrentUser().data
  const { data } = useQuery({
    queryKey: ['gateway', 'modelPrice'],
    queryFn: ({ signal }) => api.modelPrice({}, { signal }),
    staleTime: 300_000,
    enabled: me !== undefined,
  })
  useEffect(() => {
    if (!me || !data) return
    const models = findNewModels(data.rowList, me.createdAt, new Date())
    if (!models.length) return
    void notifyOnce(`models.${models[0]!.releasedOn}`, me.id, {
      claim: claimTip,
      kind: 'info',
      title: t('newModelsTitle', { n: models.length }),
      body: (
        <ul className="grid gap-1">
          {models.map((model) => (
            <li key={model.modelValue} className="flex justify-between gap-4">
              <span className="font-medium text-fg">{model.modelName}</span>
              <code className="num text-13 text-fg-3">{model.modelValue}</code>
            </li>
          ))}
        </ul>
      ),
      action: t('newModelsGo'),
      cancel: t('later'),
    }).then((answer) => {
      if (answer?.outcome === 'confirmed') void navigate({ to: '/api' })
    })
  }, [me, data, t, navigate])
  return null
}
