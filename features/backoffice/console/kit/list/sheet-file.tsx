import { FileSpreadsheet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isUncertain } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { bulkContract } from '../../../contract-bulk.console.ts'
import type { AddressParams } from '../address.ts'
import { createConsoleApi } from '../api.ts'
import { kitTexts } from '../texts.ts'
import { useHasPermission } from '../use-me.ts'

export const filesApi = createConsoleApi({ startExport: bulkContract.startExport, exports: bulkContract.exports, exportFile: bulkContract.exportFile })
const POLL_INTERVAL_MS = 700

/** Exports all rows as a spreadsheet by a server job and downloads the complete file. It stays on the operator's own page for a week. */
export function SpreadsheetButton({ path, asked, disabled }: { readonly path: string; readonly asked: AddressParams; readonly disabled: boolean }) {
  const t = useTexts(kitTexts)
  const may = useHasPermission()
  const [job, setJob] = useState<{ readonly id: string; readonly rows: number }>()
  useEffect(() => {
    if (!job) return
    const timer = setTimeout(() => {
      filesApi
        .exports({})
        .then(async ({ rows }) => {
          const now = rows.find(({ id }) => id === job.id)
          if (now?.state === 'waiting') return setJob({ id: job.id, rows: now.rows })
          setJob(undefined)
          if (now?.state !== 'done') return toast.error(t('fileFailed'))
          await downloadFile(job.id)
          toast.success(t('savedRows', { n: now.rows }))
        })
        // Only the connection failed, the job continues
        .catch((error: unknown) => {
          if (isUncertain(error)) return setJob({ ...job })
          setJob(undefined)
          toast.error((error as Error).message)
        })
    }, POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [job, t])
  if (!may('lists.export')) return null
  const start = async () => {
    try {
      const filter = Object.fromEntries(Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
      setJob({ rows: 0, ...(await filesApi.startExport({ path, filter, format: 'xlsx' })) })
    } catch (error) {
      toast.error((error as Error).message)
    }
  }
  return (
    <Button variant="ghost" onClick={() => void start()} loading={job !== undefined} disabled={disabled}>
      <FileSpreadsheet size={14} strokeWidth={1.75} aria-hidden="true" />
      {job ? t('fileRows', { n: job.rows }) : t('xlsxFile')}
    </Button>
  )
}

export async function downloadFile(id: string): Promise<void> {
  const file = await filesApi.exportFile({ id })
  saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
}
