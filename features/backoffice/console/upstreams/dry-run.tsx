import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { modelTexts } from '../prices/texts.ts'
import { modelsApi } from '../prices/use-draft.ts'

/** Dry run: routes the last hour's calls as if the upstream were in the given state. Read-only. */
export function UpstreamDryRun({ upstreamId, state }: { readonly upstreamId: string; readonly state: 'draining' | 'off' }) {
  const t = useTexts(modelTexts)
  const read = useQuery({ queryKey: ['upstreams', 'dry', upstreamId, state], queryFn: ({ signal }) => modelsApi.dryRun({ upstreamId, state }, { signal }) })
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <SkeletonRows rows={2} />
  const { calls, unserved, rows } = read.data
  return (
    <div className="border-b border-line bg-sunken px-4 py-3">
      <p className={`text-13 font-semibold ${unserved ? 'text-danger' : ''}`}>
        {!calls ? t('dryNone') : unserved ? t('dryUnserved', { n: unserved, calls }) : t('dryAll', { calls })}
      </p>
      {rows.length ? (
        <table className="mt-2 text-13 tabular">
          <caption className="sr-only">{t('dryRun')}</caption>
          <tbody>
            {rows.map(({ model, upstream, before, after }) => (
              <tr key={`${model} ${upstream}`} className={before === after ? 'text-fg-3' : ''}>
                <th scope="row" className="num pr-6 text-left font-normal">
                  {model}
                </th>
                <td className="num pr-6">{upstream}</td>
                <td className="num pr-2 text-right">{before}</td>
                <td className="pr-2 text-fg-3">→</td>
                <td className={`num text-right ${before === after ? '' : 'font-semibold'}`}>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  )
}
