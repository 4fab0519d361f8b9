import { useState } from 'react'
import type { FileReply } from '#platform/shared/contract.ts'
import { isApiError } from '#platform/web/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { passOutside } from '#platform/web/outside.ts'
import { toast } from '#ui/toast.ts'
import { pageTexts } from '../texts-pages.ts'

const KEEP_MS = 10_000

/** Fetches a file and hands it to the browser; a refusal, which comes as JSON, is told instead. `busy` while it is on its way. */
export function useDownload(): { readonly busy: boolean; readonly download: (fetchFile: () => Promise<FileReply>) => Promise<boolean> } {
  const t = useTexts(pageTexts)
  const [busy, setBusy] = useState(false)
  const download = async (fetchFile: () => Promise<FileReply>) => {
    // Browsers inside apps drop downloads without a word.
    if (!passOutside('download')) return false
    setBusy(true)
    try {
      const file = await fetchFile()
      save(file)
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

function save({ type, filename, body }: FileReply): void {
  // The client reads every file to its end.
  const url = URL.createObjectURL(new Blob([body as Uint8Array<ArrayBuffer>], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS)
}
