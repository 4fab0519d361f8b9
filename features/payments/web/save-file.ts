import { useState } from 'react'
import type { FileReply } from '#platform/shared/contract.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { toast } from '#ui/layers/toast.ts'
import { pageTexts } from '../texts-pages.ts'

/** Fetches a file and passes it to the browser; a JSON error is shown instead. `busy` while it loads. */
export function useDownload(): { readonly busy: boolean; readonly download: (fetchFile: () => Promise<FileReply>) => Promise<boolean> } {
  const t = useTexts(pageTexts)
  const [busy, setBusy] = useState(false)
  const download = async (fetchFile: () => Promise<FileReply>) => {
    // In-app browsers drop downloads silently.
    if (!ensureRealBrowser('download')) return false
    setBusy(true)
    try {
      const file = await fetchFile()
      // The API client reads the whole file.
      saveBlob(new Blob([file.body as Uint8Array<ArrayBuffer>], { type: file.type }), file.filename)
      toast.success(t('file_saved', { name: file.filename }))
      return true
    } catch (error) {
      toast.error(isApiError(error) ? error.message : t('file_failed'))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}
