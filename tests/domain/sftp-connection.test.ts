import { expect, test } from 'vitest'
import { sftpAccessText } from '#domain/sftp-connection.ts'

test('the text for a customer has address, user, host keys, file names and folders', () => {
  const text = sftpAccessText(
    { username: 'harbor', organization_name: 'Harbor Group', authentication: 'SSH_KEY' },
    {
      address: { host: 'files.example.com', port: 22 },
      host_keys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:abc' }],
      file_names: [{ file_name: 'harbor_ee.csv', employer_name: 'Harbor Foods', kind: 'EMPLOYEE' }],
    },
  )
  expect(text.split('\n')).toEqual([
    'SFTP access for Harbor Group',
    'Host: files.example.com',
    'Port: 22',
    'Username: harbor',
    'Sign in with: your SSH key',
    'Host key: ssh-ed25519 SHA256:abc',
    'File name: harbor_ee.csv (eligible employee, Harbor Foods)',
    'Put files into the folder / that you see after signing in. EWA files are in the folder out.',
    'A file disappears from the folder once it was taken: that is the sign that it arrived.',
  ])
})
