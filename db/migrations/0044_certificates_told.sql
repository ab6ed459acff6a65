-- Workspaces are told by an event that the certificate ends by which their Apple passes are signed.

alter table workspaces add column certificate_told text;
create index workspaces_by_certificate_told on workspaces (certificate_told);

comment on column workspaces.certificate_told is
  'the certificate whose end it was told of last, by its fingerprint, and how many days before; null: never';
