-- A store loses its pass by the program, not by the key: a distributed table has no ON DELETE SET NULL.
alter table stores drop constraint stores_pass_id_workspace_id_fkey;
alter table stores add foreign key (pass_id, workspace_id) references passes;
