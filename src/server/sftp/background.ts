import ssh2, { type SFTPWrapper } from 'ssh2'

/** Internals of the SFTP channel that the library does not expose. */
interface Channel {
  _isOpenSSH?: boolean
  _protocol?: {
    channelExtData?: (channel: number, text: Buffer, stream: number) => void
    exitStatus?: (channel: number, status: number) => void
  }
  outgoing?: { id: number; window: number; state: string }
}

/** The SSH name of the second stream of a channel. */
const stderr = 1

/** OpenSSH has its own message for a missing file, and also looks for the file before each upload. */
const quiet: readonly number[] = [ssh2.utils.sftp.STATUS_CODE.NO_SUCH_FILE]

/**
 * Writes the reason of a refusal to the channel's stderr: OpenSSH's client shows only the code of an answer ('Failure'), but
 * prints stderr. Other clients show the sentence of the answer, so nothing is written for them. It counts against the window of
 * the channel like all data; without room, the code has to do.
 */
export function writeToStderr(sftpStream: SFTPWrapper, code: number, sentence: string): void {
  const { _isOpenSSH, _protocol, outgoing } = sftpStream as unknown as Channel
  const text = Buffer.from(`${sentence}\r\n`)
  if (!_isOpenSSH || quiet.includes(code) || !_protocol?.channelExtData || outgoing?.state !== 'open') return
  if (outgoing.window <= text.length) return
  outgoing.window -= text.length
  _protocol.channelExtData(outgoing.id, text, stderr)
}

/** Closes the channel of a client that has finished, with an exit status, since `scp` takes a channel without one for a failure. */
export function closeWithStatus(sftpStream: SFTPWrapper): void {
  const { _protocol, outgoing } = sftpStream as unknown as Channel
  if (outgoing?.state === 'open') _protocol?.exitStatus?.(outgoing.id, 0)
  sftpStream.end()
}
